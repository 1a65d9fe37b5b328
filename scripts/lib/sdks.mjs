// SDKs that only their types are wanted of: their programs, hundreds of megabytes, are optional packages and left out.
import { testPackages } from './test-packages.mjs';

const PACKAGES = testPackages('sdks', 'types/sdks', 'examples for them are not checked');

export const sdkModules = PACKAGES.modules;
export const installSdks = PACKAGES.install;

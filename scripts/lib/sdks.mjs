// SDKs of which tests need only the types. Their programs of hundreds of megabytes are optional packages and are left out.
import { testPackages } from './test-packages.mjs';

const PACKAGES = testPackages('sdks', 'types/sdks', 'examples for them are not checked');

export const sdkModulesFolder = PACKAGES.modules;
export const installSdks = PACKAGES.install;

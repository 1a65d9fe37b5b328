/**
 * Whether `file` is `directory` or lies in it; both absolute. It compares texts only, so messages may use it, access
 * checks not.
 */
export function isBeneath(directory: string, file: string): boolean {
  return file === directory || directory === '/' || file.startsWith(`${directory}/`);
}

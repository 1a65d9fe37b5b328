/** Whether an absolute path is this directory, or lies in it. Compares texts: for messages, never for access. */
export function isBeneath(directory: string, file: string): boolean {
  return file === directory || directory === '/' || file.startsWith(`${directory}/`);
}

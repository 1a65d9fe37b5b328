declare const module: object;
// biome-ignore lint/style/noDefaultExport: it is what an import of the file gives
export default module;

export default {
  // The built page works in whatever folder of a server it is put.
  base: './',
  // In development, Vite 7 and older bundle the package elsewhere, away from `handrail.wasm` beside it.
  optimizeDeps: { exclude: ['handrail'] },
  build: { target: 'es2022' },
};

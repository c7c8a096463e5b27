export default defineNuxtConfig({
  compatibilityDate: '2025-11-01',
  nitro: { preset: 'node-listener', serveStatic: true },
})

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, loadEnv } from 'vite';

const server = loadEnv('', '.', 'MENAGERIE_')['MENAGERIE_SERVER'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: {
    proxy: {
      '/api': { target: server },
      '/socket': { target: server, ws: true },
    },
  },
});

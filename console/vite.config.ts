import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  // The client as it is written, not as it is published.
  resolve: { conditions: ['knowledger-source', ...defaultClientConditions] },
  build: {
    // No data: address of a script or style passes the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/openapi.json', '/sign-in'].map((path) => [path, 'http://127.0.0.1:3000']),
    ),
  },
});

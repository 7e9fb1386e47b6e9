import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['source'] },
  test: {
    name: 'web',
    root: import.meta.dirname,
    environment: 'happy-dom',
    include: ['src/**/*.test.tsx'],
    css: true,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    // Only for hangs: tests take many times longer on a small, busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['src/testing/patience.ts'],
  },
});

import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

const alias = {
  "@": root.replace(/\/$/, ""),
  // Next replaces this package at build time; outside Next importing it would throw.
  "server-only": `${root}test/support/empty.ts`,
};

export default defineConfig({
  root,
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], environment: "node", testTimeout: 20_000 },
      },
      {
        plugins: [react()],
        resolve: { alias },
        test: { name: "component", include: ["test/unit/**/*.test.tsx"], environment: "happy-dom" },
      },
      {
        resolve: { alias },
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          environment: "node",
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // Each file starts real redis-server processes; two cores do not carry many of them at once.
          maxWorkers: 2,
        },
      },
    ],
  },
});

import next from "eslint-config-next/core-web-vitals";
import typescript from "eslint-config-next/typescript";
import prettier from "eslint-config-prettier/flat";

const config = [
  { ignores: [".next/", "dist/", "prisma/generated/", "next-env.d.ts", "playwright-report/", "test-results/"] },
  ...next,
  ...typescript,
  prettier,
  {
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
    },
  },
  { files: ["cli/**", "bench/**", "scripts/**", "e2e/**"], rules: { "no-console": "off" } },
];

export default config;

import vitest from "@vitest/eslint-plugin";
import next from "eslint-config-next/core-web-vitals";
import typescript from "eslint-config-next/typescript";
import prettier from "eslint-config-prettier/flat";
import importSort from "eslint-plugin-simple-import-sort";

const config = [
  { ignores: [".next/", "dist/", "prisma/generated/", "next-env.d.ts", "playwright-report/", "test-results/"] },
  ...next,
  ...typescript,
  prettier,
  {
    plugins: { "simple-import-sort": importSort },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "simple-import-sort/imports": [
        "error",
        { groups: [["^\\u0000(?!.*\\.css$)", "^node:", "^@?\\w", "^@/", "^\\."], ["\\.css$"]] },
      ],
      "simple-import-sort/exports": "error",
    },
  },
  {
    files: ["**/*.test.{ts,tsx}"],
    plugins: { vitest },
    rules: { "vitest/consistent-test-it": ["error", { fn: "test", withinDescribe: "test" }] },
  },
  {
    files: ["{app,components,features}/**"],
    ignores: ["components/ui/link.tsx"],
    rules: {
      "no-restricted-imports": [
        "error",
        { name: "next/link", importNames: ["default"], message: "Use Link of @/components/ui/link." },
      ],
    },
  },
  { files: ["cli/**", "bench/**", "scripts/**", "e2e/**"], rules: { "no-console": "off" } },
];

export default config;

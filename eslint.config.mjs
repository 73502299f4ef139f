import vitest from "@vitest/eslint-plugin";
import next from "eslint-config-next/core-web-vitals";
import typescript from "eslint-config-next/typescript";
import prettier from "eslint-config-prettier/flat";
import importSort from "eslint-plugin-simple-import-sort";

/** Literals such as 5, -5, "a", `a`, true, /a/ and 5 as const. */
const LITERALS = [
  "[init.type='Literal']",
  "[init.type='UnaryExpression'][init.argument.type='Literal']",
  "[init.type='TemplateLiteral'][init.expressions.length=0]",
  "[init.type='TSAsExpression'][init.expression.type='Literal']",
];
const MODULE_CONSTANT = ":matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind='const']";

const config = [
  {
    ignores: [
      ".next/",
      "dist/",
      "prisma/generated/",
      "next-env.d.ts",
      "playwright-report/",
      "test-results/",
      "clients/**/dist/",
      "clients/**/generated.ts",
    ],
  },
  // Rules of React cost half of the time; its components are in these folders only.
  ...next.map((part) => ("rules" in part ? { ...part, files: ["{app,components,features}/**/*.{ts,tsx}"] } : part)),
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
      "simple-import-sort/exports": "error",
    },
  },
  {
    files: ["{lib,app,features,components,cli,scripts,bench,clients}/**", "{proxy,server,pages-server,api-server}.ts"],
    ignores: ["**/*.test.{ts,tsx}", "**/*.fixture.{ts,tsx}", "**/testing/**"],
    rules: { "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }] },
  },
  {
    rules: {
      "@typescript-eslint/naming-convention": [
        "error",
        { selector: ["function", "variable"], format: ["camelCase", "PascalCase", "UPPER_CASE"] },
        { selector: "variable", modifiers: ["destructured"], format: null },
        { selector: "typeLike", format: ["PascalCase"] },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: `${MODULE_CONSTANT} > VariableDeclarator[id.name=/[a-z]/]:matches(${LITERALS.join(", ")})`,
          message: "A constant is UPPER_CASE.",
        },
        {
          selector: "ImportDeclaration[source.value='zod'] > ImportSpecifier",
          message: "Write import * as z: its name z brings the texts of all languages along.",
        },
        {
          selector: ":matches(ArrayExpression, CallExpression) > SpreadElement > ArrayExpression.argument",
          message: "Write the elements themselves: a spread literal only changes the layout.",
        },
      ],
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

/** Our own rules of `npm run lint`, in the form of an ESLint plugin. */

const FUNCTIONS = "FunctionDeclaration, TSDeclareFunction, FunctionExpression";
const TYPES = "ClassDeclaration, ClassExpression, TSInterfaceDeclaration, TSTypeAliasDeclaration, TSEnumDeclaration";

/** Literals such as 5, -5, "a", `a`, true, /a/ and 5 as const. */
const LITERALS = [
  "[init.type='Literal']",
  "[init.type='UnaryExpression'][init.argument.type='Literal']",
  "[init.type='TemplateLiteral'][init.expressions.length=0]",
  "[init.type='TSAsExpression'][init.expression.type='Literal']",
];
const MODULE_CONSTANT = ":matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind='const']";
const UPDATED_OR_TYPED = [
  "ExpressionStatement > UpdateExpression > Identifier",
  "ExpressionStatement > AssignmentExpression[operator!='='] > Identifier.left",
  "TSTypeQuery > Identifier",
].join(", ");

/** Selects a member by its name, such as a.b and a["b"]. */
const named = (name, path = "") => `:matches([${path}property.name='${name}'], [${path}property.value='${name}'])`;
const OF_LOCATION = `:matches([object.name='location'], ${named("location", "object.")})`;

const { compare } = new Intl.Collator("en", { sensitivity: "base", numeric: true });

const isUpperCase = (name) => name === name.toUpperCase() && !/^_|__|_$/.test(name);
const isCamelCase = (name) => !name.includes("_");
const isPascalCase = (name) => isCamelCase(name) && name[0] === name[0].toUpperCase();
const isValueName = (name) => isCamelCase(name) || isUpperCase(name);

/** Lists the names that a pattern declares, without those that only repeat the name of a property. */
function listNames(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "AssignmentPattern":
      return listNames(pattern.left);
    case "RestElement":
      return listNames(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap(listNames);
    case "ObjectPattern":
      return pattern.properties.flatMap((part) => (part.shorthand ? [] : listNames(part.value ?? part)));
    default:
      return [];
  }
}

/** Lists the nodes that belong before the one that they follow. */
const findUnsorted = (nodes, readText) =>
  nodes.filter((node, index) => index > 0 && compare(readText(nodes[index - 1]), readText(node)) > 0);

function findVariable(scope, name) {
  if (scope === null) return undefined;
  return scope.set.get(name) ?? findVariable(scope.upper, name);
}

/** Whether a reference only sets a variable, counts it up, adds to it or takes its type. */
function isUnread({ init, identifier }) {
  const { type, left, parent } = identifier.parent;
  const isUpdated = type === "UpdateExpression" || (type === "AssignmentExpression" && left === identifier);
  return init || type === "TSTypeQuery" || (isUpdated && parent.type === "ExpressionStatement");
}

/** Lists the declaration of a variable if no value of it is ever read. */
function findUnread({ name }, scope) {
  const { defs = [], references = [] } = findVariable(scope, name) ?? {};
  const isLocal = defs.every(({ type, parent }) => type === "Variable" && !/^Export/.test(parent.parent.type));
  return isLocal && references.every(isUnread) ? defs.map((definition) => definition.name) : [];
}

/** Creates a rule with a message, by the selector of what it visits: the function lists what to report there. */
function createRule(message, visits) {
  return {
    create: (context) => {
      const report = (find) => (visited) => {
        for (const node of find(visited, context.sourceCode)) context.report({ node, message });
      };
      return Object.fromEntries(Object.entries(visits).map(([selector, find]) => [selector, report(find)]));
    },
  };
}

/** Creates a rule that refuses what the selectors select. */
const refuse = (message, ...selectors) => createRule(message, { [selectors.join(", ")]: (node) => [node] });

const plugin = {
  meta: { name: "spotline" },
  rules: {
    "value-names": createRule("Write camelCase, PascalCase or UPPER_CASE.", {
      [`${FUNCTIONS}, VariableDeclarator`]: ({ id }) => listNames(id).filter(({ name }) => !isValueName(name)),
    }),
    "type-names": createRule("Write PascalCase.", {
      [TYPES]: ({ id }) => listNames(id).filter(({ name }) => !isPascalCase(name)),
      TSTypeParameter: ({ name }) => (isPascalCase(name.name) ? [] : [name]),
    }),
    "constant-names": refuse(
      "A constant is UPPER_CASE.",
      `${MODULE_CONSTANT} > VariableDeclarator[id.name=/[a-z]/]:matches(${LITERALS.join(", ")})`,
    ),
    "zod-import": refuse(
      "Write import * as z: its name z brings the texts of all languages along.",
      "ImportDeclaration[source.value='zod'] > ImportSpecifier",
    ),
    "no-spread-literal": refuse(
      "Write the elements themselves: a spread literal only changes the layout.",
      ":matches(ArrayExpression, CallExpression) > SpreadElement > ArrayExpression.argument",
    ),
    "no-location-assign": refuse(
      "Use redirect() or useRouter().push(): a new location loads everything again.",
      `CallExpression > MemberExpression.callee${named("assign")}${OF_LOCATION}`,
      `AssignmentExpression > MemberExpression.left${named("href")}${OF_LOCATION}`,
    ),
    // What no-unused-vars of ESLint finds and that of oxlint does not.
    "no-unread-variables": createRule("Nothing reads this variable.", {
      [UPDATED_OR_TYPED]: (identifier, { getScope }) => findUnread(identifier, getScope(identifier)),
    }),
    "sort-exports": createRule("Sort the exports.", {
      ExportNamedDeclaration: ({ specifiers }) => findUnsorted(specifiers, ({ exported }) => exported.name),
      Program: ({ body }) =>
        findUnsorted(
          body.filter(({ type, source }) => /^Export/.test(type) && source),
          ({ source }) => source.value,
        ),
    }),
  },
};

export default plugin;

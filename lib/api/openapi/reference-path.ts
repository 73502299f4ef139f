const FOLDER = "/docs/reference";

/** The page of an endpoint in the documentation: "/docs/reference/symbols-symbol" for "/v1/symbols/{symbol}". */
export function formatReferencePath(path: string): string {
  const words = path.replace(/^\/v1/, "").replaceAll(/[{}]/g, "").split(/[/.]/).filter(Boolean);
  return `${FOLDER}/${words.join("-")}`;
}

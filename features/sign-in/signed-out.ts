/** What the board's own routes answer to a browser that is not, or no longer, signed in. */
export function signedOutAnswer(): Response {
  return Response.json({ error: "Signed out" }, { status: 401, headers: { "Cache-Control": "no-store" } });
}

"use client";

import { useCallback, useEffect, useState } from "react";
import { storeCookie } from "@/components/ui/cookie";
import { keepAt } from "@/components/ui/past-address";
import { type BoardChoice, LOOK_COOKIE, toBoardHref, toLookCookie } from "@/features/quotes/url";

export type ChangeChoice = (next: Partial<BoardChoice> | ((before: BoardChoice) => Partial<BoardChoice>)) => void;

/** The choice, and a function that changes parts of it. The address follows, and the cookie with the look. */
export function useBoardChoice(first: BoardChoice): [choice: BoardChoice, change: ChangeChoice] {
  const [choice, setChoice] = useState(first);
  const change = useCallback<ChangeChoice>(
    (next) => setChoice((before) => ({ ...before, ...(typeof next === "function" ? next(before) : next) })),
    [],
  );
  useEffect(() => {
    const href = keepAt(toBoardHref(choice));
    if (href !== location.pathname + location.search) window.history.replaceState(null, "", href);
    // A comma and a percent sign are fine in a cookie, a semicolon is not; the query string has none.
    storeCookie(LOOK_COOKIE, toLookCookie(choice), "/quotes");
  }, [choice]);
  return [choice, change];
}

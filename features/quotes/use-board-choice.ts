"use client";

import { useCallback, useEffect, useState } from "react";
import { type BoardChoice, LOOK_COOKIE, toBoardHref, toLookCookie } from "@/features/quotes/url";

const YEAR_SECONDS = 31_536_000;

export type ChangeChoice = (next: Partial<BoardChoice> | ((before: BoardChoice) => Partial<BoardChoice>)) => void;

/** The choice, and a function that changes parts of it. The address follows, and the cookie with the look. */
export function useBoardChoice(first: BoardChoice): [choice: BoardChoice, change: ChangeChoice] {
  const [choice, setChoice] = useState(first);
  const change = useCallback<ChangeChoice>(
    (next) => setChoice((before) => ({ ...before, ...(typeof next === "function" ? next(before) : next) })),
    [],
  );
  useEffect(() => {
    const href = toBoardHref(choice);
    if (href !== location.pathname + location.search) window.history.replaceState(null, "", href);
    const look = toLookCookie(choice);
    const age = look === "" ? 0 : YEAR_SECONDS;
    // A comma and a percent sign are fine in a cookie, a semicolon is not; the query string has none.
    document.cookie = `${LOOK_COOKIE}=${look}; path=/quotes; max-age=${age}; samesite=lax`;
  }, [choice]);
  return [choice, change];
}

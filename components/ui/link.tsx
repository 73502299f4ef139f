"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

type LinkProps = Omit<ComponentProps<typeof NextLink>, "onPointerEnter" | "onFocus">;

/**
 * A link to another page. It loads the page in advance when the pointer or the focus reaches it. Next would do so when
 * the link comes into view, which costs the server two requests for each of the dozens of links on a page.
 */
export function Link({ prefetch, ...props }: LinkProps) {
  const [isLikely, setIsLikely] = useState(false);
  const onLikely = () => setIsLikely(true);
  return <NextLink {...props} prefetch={isLikely && (prefetch ?? null)} onPointerEnter={onLikely} onFocus={onLikely} />;
}

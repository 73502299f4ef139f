"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { useAddressAt } from "@/components/ui/past";
import { withAt } from "@/components/ui/past-address";

interface LinkProps extends Omit<ComponentProps<typeof NextLink>, "onPointerEnter" | "onFocus"> {
  /** Whether it leads to the present, or to another second of the past, and not to the second of this page. */
  leavesSecond?: boolean;
}

/** Pages outside of the dashboard, and other sites. */
const OUTSIDE = /^(?:\/(?:docs|sign-in|v1)?(?:[/?#]|$)|[a-z]+:|#)/;

/**
 * A link to another page. It loads the page in advance when the pointer or the focus reaches it. Next would do so when
 * the link comes into view, which costs the server two requests for each of the dozens of links on a page. It keeps the
 * second of the past that the page shows.
 */
export function Link({ prefetch, href, leavesSecond = false, ...props }: LinkProps) {
  const [isLikely, setIsLikely] = useState(false);
  const at = useAddressAt();
  const onLikely = () => setIsLikely(true);
  const isKept = !leavesSecond && at !== null && typeof href === "string" && !OUTSIDE.test(href);
  return (
    <NextLink
      {...props}
      href={isKept ? withAt(href, at) : href}
      prefetch={isLikely && (prefetch ?? null)}
      onPointerEnter={onLikely}
      onFocus={onLikely}
    />
  );
}

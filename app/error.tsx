"use client";

import type { ComponentProps } from "react";
import { FailedPage } from "@/components/shell/failed-page";

export default function ErrorPage(props: ComponentProps<typeof FailedPage>) {
  return (
    <main id="content" className="grid min-h-dvh items-center">
      <FailedPage {...props} />
    </main>
  );
}

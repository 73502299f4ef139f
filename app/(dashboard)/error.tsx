"use client";

import type { ComponentProps } from "react";
import { FailedPage } from "@/components/shell/failed-page";

export default function DashboardError(props: ComponentProps<typeof FailedPage>) {
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <FailedPage {...props} />
    </div>
  );
}

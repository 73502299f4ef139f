import { LinkTabs } from "@/components/ui/tabs";

/** Switches between the totals of calls and the calls one by one. */
export function UsageTabs({ current }: { current: "totals" | "requests" }) {
  return (
    <div className="px-4 pb-1 max-md:px-3">
      <LinkTabs
        label="Usage views"
        tabs={[
          { href: "/usage", text: "Totals", isCurrent: current === "totals" },
          { href: "/usage/requests", text: "Request log", isCurrent: current === "requests" },
        ]}
      />
    </div>
  );
}

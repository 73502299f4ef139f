import { LinkTabs } from "@/components/ui/tabs";

/** Switches between all indicators of one symbol, and one indicator of all symbols. */
export function ViewTabs({ current }: { current: "symbol" | "screener" }) {
  return (
    <div className="px-4 pt-1 max-md:px-3">
      <LinkTabs
        label="Indicator views"
        tabs={[
          { href: "/indicators", text: "One symbol", isCurrent: current === "symbol" },
          { href: "/indicators/screener", text: "Screener", isCurrent: current === "screener" },
        ]}
      />
    </div>
  );
}

/** The readable name of an indicator with its parameters: its description up to the explanation after the colon. */
export function getTitle(description: string): string {
  return description.split(":")[0] as string;
}

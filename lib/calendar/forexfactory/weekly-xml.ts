import type { ReportedEvent } from "@/lib/calendar/event";
import { parseImpact } from "@/lib/calendar/impact-words";
import { readSourceTime } from "@/lib/calendar/source-time";

/**
 * The weekly file of ForexFactory as XML. It is windows-1252, has a date and a time of day in two fields, and names no
 * zone; recorded files are in UTC, unlike the JSON form.
 */

/** Throws an Error saying which row cannot be read. */
export function readWeeklyXml(bytes: Uint8Array, zone = "UTC"): ReportedEvent[] {
  const text = new TextDecoder("windows-1252").decode(bytes);
  if (!/<weeklyevents\b/.test(text)) throw new Error("This is not a weekly file of events in XML.");
  return [...text.matchAll(/<event>([\s\S]*?)<\/event>/g)].map(([, event = ""], index) => {
    const field = (name: string) => textOf(event, name);
    const time = readSourceTime(field("date"), field("time"), { zone });
    const title = field("title");
    if (time === null || title === "") {
      throw new Error(`Event ${index + 1} has no title or no readable date: ${field("date")} ${field("time")}`.trim());
    }
    const isHoliday = field("impact").toLowerCase() === "holiday";
    return {
      ...{ key: null, timeMs: time.timeMs, zone, certainty: isHoliday ? "all_day" : time.certainty },
      ...{ currency: field("country").toUpperCase(), title, impact: parseImpact(field("impact")) ?? "low" },
      ...{ forecast: field("forecast"), previous: field("previous") },
    };
  });
}

function textOf(event: string, name: string): string {
  const content = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(event)?.[1]?.trim() ?? "";
  const literal = /^<!\[CDATA\[([\s\S]*)\]\]>$/.exec(content);
  return (literal?.[1] ?? unescapeXml(content)).trim();
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return NAMED[name] ?? whole;
    const code = Number(name[1]?.toLowerCase() === "x" ? `0${name.slice(1)}` : name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

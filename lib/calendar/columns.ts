import { readStatedZone, UNCLEAR } from "@/lib/time/stated-zone";
import { isZone } from "@/lib/time/zone-offset";

/** Which column of a file of events is which field. */

/** The accepted names of each field, without case, blanks and signs. The first one that is in the file counts. */
const NAMES = {
  id: "id valueid calendarid occurrenceid releaseid uid uuid guid eventid",
  date:
    "datetime date eventdt eventdatetime eventdate releasedatetime releasedate dateandtime startdatetime start " +
    "startdate startsat scheduledat valuetime dt day timestamp unixtime",
  time: "time eventtime releasetime starttime timeofday timeoriginal originaltime clock hour",
  year: "year",
  zone: "timezone tz timezonename sourcetimezone",
  currency: "currency ccy cur currencycode eventcurrency",
  country: "country countrycode countryname eventcountry zone economy region area",
  title:
    "event title name eventname eventtitle indicator indicatorname releasename release headline report category type text",
  comparison: "comparison",
  impact:
    "impact importance volatility priority impactlevel importancelevel eventimportance stars important impacttext " +
    "importancestr significance",
  forecast:
    "forecast consensus estimate estimated expected expectation expectations median survey forecastvalue " +
    "consensusvalue marketforecast marketconsensus consensusestimate forecasted fcst",
  previous: "previous prior prev last previousvalue prevvalue priorvalue lastvalue former",
  revised: "revised revisedprevious previousrevised revisedprevvalue revisedvalue revisedprior revision",
  revisedFrom: "revisedfrom previousbeforerevision",
  actual: "actual actualvalue act released releasedvalue",
  unit: "unit units eventunit",
  multiplier: "multiplier potency scale eventmultiplier",
  series: "seriesid series ticker eventid",
  certainty: "certainty",
  allDay: "isallday allday",
  tentative: "istentative tentative",
  frequency: "frequency",
  sourceUrl: "sourceurl eventsourceurl",
  description: "description",
} as const;
export type Field = keyof typeof NAMES;

const FIELDS = Object.keys(NAMES) as readonly Field[];
const listNames = (field: Field): readonly string[] => NAMES[field].split(" ");

/** Words for the zone of times in names like "date_utc" and "server_time". */
const ZONE_WORDS = "utc gmt et est edt cet cest eet eest bst jst server broker local".split(" ");

interface Column {
  /** The name in the file. */
  readonly name: string;
  /** In lower case, without blanks, signs and what is in brackets. */
  readonly plain: string;
  /** What a name like "Time (GMT)" or "date_utc" says of the zone, or "Actual (%)" of the unit; empty if nothing. */
  readonly note: string;
}

/** The column of each field, and the ones of no field. */
export interface ColumnPlan {
  readonly byField: ReadonlyMap<Field, Column>;
  readonly unused: readonly string[];
  /** A column with the time in UTC beside a local one, which is the one that is read. */
  readonly otherTime: Column | undefined;
}

/** Whether a name is one of a field's. */
export function isNameOf(field: Field, name: string): boolean {
  const { plain } = readColumn(name);
  return listNames(field).includes(plain);
}

/** Objects of JSON name their columns again and again. */
const columnsByName = new Map<string, Column>();
const MAX_CACHED = 1_000;

function readColumn(name: string): Column {
  const known = columnsByName.get(name);
  if (known !== undefined) return known;
  const column = parseColumn(name);
  if (columnsByName.size < MAX_CACHED) columnsByName.set(name, column);
  return column;
}

function parseColumn(name: string): Column {
  const [, inside = ""] = /[([]([^)\]]*)[)\]]/.exec(name) ?? [];
  const outside = name.replace(/[([][^)\]]*[)\]]/g, "");
  const plain = outside.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const isTime = (text: string) => listNames("date").includes(text) || listNames("time").includes(text);
  if (inside !== "" || isTime(plain)) return { name, plain, note: inside.trim() };
  for (const word of ZONE_WORDS) {
    const bases = [
      plain.endsWith(word) ? plain.slice(0, -word.length) : "",
      plain.startsWith(word) ? plain.slice(word.length) : "",
    ];
    const base = bases.find(isTime);
    if (base !== undefined) return { name, plain: base, note: word };
  }
  return { name, plain, note: "" };
}

/**
 * Finds the column of each field. A date in UTC is preferred to a local one. A time must be of the same clock as the date,
 * because a day begins elsewhere at another moment.
 */
export function planColumns(names: readonly string[]): ColumnPlan {
  const columns = names.map(readColumn);
  const byField = new Map<Field, Column>();
  const used = new Set<string>();
  const isUtc = (column: Column | undefined) => /^(utc|gmt)$/i.test(column?.note ?? "");
  for (const field of FIELDS) {
    const ranked = listNames(field)
      .flatMap((each) => columns.filter(({ plain }) => plain === each))
      .filter(({ name }) => !used.has(name));
    const isInUtc = field === "time" && byField.has("date") ? isUtc(byField.get("date")) : true;
    const column = ranked.find((each) => isUtc(each) === isInUtc) ?? ranked[0];
    if (column === undefined) continue;
    byField.set(field, column);
    used.add(column.name);
  }
  const isOther = (column: Column) =>
    isUtc(column) && !used.has(column.name) && listNames("time").includes(column.plain);
  return { byField, unused: names.filter((name) => !used.has(name)), otherTime: columns.find(isOther) };
}

/**
 * Reads what a file says of the zone of its times: the IANA zone, "unclear" if only the operator can tell it, or undefined
 * if the text is about something else.
 */
export function readZoneNote(text: string): string | undefined {
  const plain = text.trim();
  if (plain === "" || /^[ymdhs:./\s-]+$|^(am|pm|24h|12h|iso)/i.test(plain)) return undefined;
  const zone = readStatedZone(plain) ?? UNCLEAR;
  const [, sign, hours] = /^UTC([+-])(\d+)$/.exec(zone) ?? [];
  if (hours !== undefined) return `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`;
  return isZone(zone) ? zone : UNCLEAR;
}

/** Calendars name the country of an event where a currency is expected. */

/** Currencies, each before the ISO 3166 codes of its countries. */
const CURRENCIES_OF_COUNTRIES =
  "EUR EU EA EZ AT BE BG HR CY DE EE ES FI FR GR IE IT LT LU LV MT NL PT SI SK ME XK AD MC SM|USD US PR EC SV PA|GBP GB UK|" +
  "CHF CH LI|DKK DK GL|XAF CM GA CG TD CF GQ|XOF SN CI BJ BF ML NE TG GW|AED AE|ALL AL|AMD AM|AOA AO|ARS AR|AUD AU|" +
  "AZN AZ|BAM BA|BDT BD|BHD BH|BOB BO|BRL BR|BWP BW|BYN BY|CAD CA|CLP CL|CNY CN|COP CO|CRC CR|CZK CZ|DOP DO|DZD DZ|" +
  "EGP EG|ETB ET|GEL GE|GHS GH|GTQ GT|HKD HK|HNL HN|HUF HU|IDR ID|ILS IL|INR IN|IQD IQ|ISK IS|JMD JM|JOD JO|JPY JP|" +
  "KES KE|KGS KG|KHR KH|KRW KR|KWD KW|KZT KZ|LBP LB|LKR LK|MAD MA|MDL MD|MKD MK|MNT MN|MOP MO|MUR MU|MXN MX|MYR MY|" +
  "MZN MZ|NAD NA|NGN NG|NOK NO|NPR NP|NZD NZ|OMR OM|PEN PE|PHP PH|PKR PK|PLN PL|PYG PY|QAR QA|RON RO|RSD RS|RUB RU|" +
  "RWF RW|SAR SA|SEK SE|SGD SG|THB TH|TND TN|TRY TR|TWD TW|TZS TZ|UAH UA|UGX UG|UYU UY|UZS UZ|VND VN|ZAR ZA|ZMW ZM";

/** Codes of three letters and other names than those of Intl, by code. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = readLists(
  "US usa,u.s.,united states of america|GB gbr,u.k.,great britain,britain,england|JP jpn|DE deu|FR fra|IT ita|ES esp|" +
    "EU emu,euu,eur,euro area,euro zone,eurozone,euroland,european monetary union|NL nld,holland|BE bel|AT aut|IE irl|" +
    "PT prt|GR grc|FI fin|SK svk|SI svn|EE est|LV lva|LT ltu|LU lux|MT mlt|CY cyp|HR hrv|CA can|AU aus|NZ nzl|CH che|" +
    "CN chn,mainland china|HK hkg,hong kong|SG sgp|SE swe|NO nor|DK dnk|PL pol|CZ cze,czech republic|HU hun|RO rou|" +
    "BG bgr|TR tur,turkey|RU rus,russian federation|ZA zaf|MX mex|BR bra|AR arg|CL chl|CO col|PE per|IN ind|ID idn|" +
    "KR kor,korea,republic of korea|MY mys|PH phl|TH tha|TW twn|VN vnm|IL isr|SA sau|AE are,uae|EG egy|NG nga|KE ken|" +
    "IS isl|UA ukr|BA bosnia|MK macedonia|CI ivory coast|CG republic of the congo",
);

/** How calendars begin the titles of a country inside the euro area; the others begin with its name. */
const ADJECTIVES: ReadonlyMap<string, readonly string[]> = readLists(
  "DE German|FR French|IT Italian|ES Spanish|NL Dutch|BE Belgian|AT Austrian|IE Irish|PT Portuguese|GR Greek|FI Finnish|" +
    "SK Slovak|SI Slovenian|EE Estonian|LV Latvian|LT Lithuanian|HR Croatian|MT Maltese|CY Cypriot|BG Bulgarian",
);

function readLists(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(text.split("|").map((each) => [each.slice(0, 2), each.slice(3).split(",")]));
}

interface Country {
  readonly currency: string;
  /** The words that tell the country in a title, the usual one first; empty if the currency is its alone. */
  readonly titles: readonly string[];
}

let countries: ReadonlyMap<string, Country> | null = null;

/**
 * Finds a country by its code of two or three letters or its English name, in any case. The events of the whole world
 * have the currency "ALL". Undefined for other texts.
 */
export function findCountry(text: string): Country | undefined {
  countries ??= listCountries();
  return countries.get(toPlain(text));
}

function listCountries(): ReadonlyMap<string, Country> {
  const names = new Intl.DisplayNames("en", { type: "region" });
  const found = new Map<string, Country>();
  for (const each of CURRENCIES_OF_COUNTRIES.split("|")) {
    const [currency = "", ...codes] = each.split(" ");
    for (const code of codes) {
      const name = names.of(code) ?? code;
      // A currency's own country has the first two letters of its code; the euro's is the area.
      const isOwn = currency.startsWith(code) || codes.length === 1 || ["EA", "EZ", "UK"].includes(code);
      const titles = isOwn ? [] : [...(ADJECTIVES.get(code) ?? []), name];
      for (const spelling of [code, name, ...(OTHER_NAMES.get(code) ?? [])])
        found.set(toPlain(spelling), { currency, titles });
    }
  }
  for (const word of ["all", "world", "global", "international"]) found.set(word, { currency: "ALL", titles: [] });
  return found;
}

function toPlain(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("&", "and").toLowerCase().trim();
}

/**
 * A client for forms, like a browser without scripts: it stores cookies, reads the forms of a page and posts them. Tests
 * can change what it sends, which a browser would not allow.
 */

type Fields = readonly (readonly [name: string, value: string])[];

/** A form as it would be sent from its page. */
export interface Form {
  readonly path: string;
  readonly fields: Fields;
}

interface Sent {
  readonly status: number;
  /** Where it leads, a path of the site or a whole URL. */
  readonly location: string | null;
  readonly text: string;
}

interface SendOptions {
  /** In place of the site's own; null sends none. */
  readonly origin?: string | null;
  /** In place of this browser's own. */
  readonly cookie?: string;
}

export type FormClient = ReturnType<typeof createFormClient>;

export function createFormClient(
  url: string,
  userAgent = "Form client",
  cookies: Readonly<Record<string, string>> = {},
) {
  const jar = new Map(Object.entries(cookies));
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  function keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0/i.test(line) || value === "") jar.delete(name);
      else jar.set(name, value);
    }
  }

  async function page(path: string): Promise<string> {
    const headers = { cookie: cookie(), "user-agent": userAgent };
    const response = await fetch(url + path, { headers, redirect: "manual" });
    keepCookies(response);
    return response.text();
  }

  /** The form of a page whose words match, with what it holds as it was loaded. */
  async function form(path: string, words: RegExp): Promise<Form> {
    const html = (await page(path)).replaceAll(/<(script|noscript)\b[\s\S]*?<\/\1>/g, "");
    const forms = html.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
    const found = forms.find((each) => words.test(each.replaceAll(/<!--.*?-->|<[^>]*>/g, "")));
    if (found === undefined) throw new Error(`${path} has no form that says ${words}.`);
    const fields: [string, string][] = [];
    for (const [tag] of found.matchAll(/<(input|textarea)\b[^>]*>/g)) {
      const name = attribute(tag, "name");
      const isUnchecked = /type="(checkbox|radio)"/.test(tag) && !/\schecked\b/.test(tag);
      if (name !== null && !isUnchecked) fields.push([name, attribute(tag, "value") ?? ""]);
    }
    return { path, fields };
  }

  async function send({ path, fields }: Form, options: SendOptions = {}): Promise<Sent> {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    const headers = new Headers({ accept: "text/html", cookie: options.cookie ?? cookie(), "user-agent": userAgent });
    const origin = options.origin === undefined ? url : options.origin;
    if (origin !== null) headers.set("origin", origin);
    const response = await fetch(url + path, { method: "POST", headers, body, redirect: "manual" });
    if (options.cookie === undefined) keepCookies(response);
    return { status: response.status, location: response.headers.get("location"), text: await response.text() };
  }

  return {
    page,
    form,
    send,
    cookie,
    /** Loads the page, fills its form and sends it. */
    async submit(path: string, words: RegExp, values: Readonly<Record<string, string>>): Promise<Sent> {
      return send(filled(await form(path, words), values));
    },
  };
}

/** The form with these values in place of what it held. */
export function filled(form: Form, values: Readonly<Record<string, string>>): Form {
  const kept = form.fields.filter(([name]) => !(name in values));
  return { ...form, fields: [...kept, ...Object.entries(values)] };
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  const characters: Record<string, string> = { quot: '"', amp: "&", lt: "<", gt: ">", "#x27": "'" };
  return value?.replaceAll(/&(quot|amp|lt|gt|#x27);/g, (_, word: string) => characters[word] ?? "") ?? null;
}

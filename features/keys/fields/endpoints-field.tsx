import { Choice, Restriction } from "@/features/keys/fields/restriction";
import { KEY_PATHS } from "@/lib/access/scopes";

interface EndpointsFieldProps {
  value: readonly string[];
  onChange: (endpoints: readonly string[]) => void;
  error: string | undefined;
}

/** The only endpoints that the key may call. */
export function EndpointsField({ value, onChange, error }: EndpointsFieldProps) {
  return (
    <Restriction
      title="Only some endpoints"
      state={value.length === 0 ? "all that the scopes open" : `${value.length} chosen`}
      isRestricted={value.length > 0}
      hasError={error !== undefined}
    >
      <fieldset aria-describedby="endpoints-hint endpoints-error">
        <legend className="sr-only">The only endpoints that this key may call</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {KEY_PATHS.map((path) => (
            <Choice
              key={path}
              name="endpoints"
              option={path}
              chosen={value}
              onChange={onChange}
              className="numerals gap-2.5 text-xs12 leading-5"
            />
          ))}
        </div>
        <p id="endpoints-hint" className="mt-1.5 text-xs13 text-faint">
          Choose none to allow all. A chosen endpoint also needs its scope.
        </p>
        <div id="endpoints-error" aria-live="polite" className="text-xs13 text-down empty:hidden">
          {error}
        </div>
      </fieldset>
    </Restriction>
  );
}

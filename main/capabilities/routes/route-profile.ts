import type { RouteId } from '../../../shared/rendering.ts';

/** The keywords of JSON Schema that a route reads; what is not among them is told in words. */
export type Keywords = 'all' | ReadonlySet<string>;

/**
 * What one kind of provider carries, as data. `edited`: the schema is sent as the server wrote it but for named places; `rebuilt`: it is made anew from
 * the parts the route knows.
 */
export interface RouteProfile {
  readonly id: RouteId;
  /** the first character, what follows, and how long in all */
  readonly names: { readonly startsWithLetter: boolean; readonly maxLength: number };
  /** of one request */
  readonly maxTools: number;
  /** of one request, for the definitions of tools, estimated: what models of this route still choose well from */
  readonly toolTokens: number;
  /** requests whose history holds tool calls have to name tools */
  readonly toolsWithHistory: boolean;
  readonly schema: {
    readonly form: 'edited' | 'rebuilt';
    readonly keywords: Keywords;
    /** keywords that may not stand at the root, beside those for alternatives */
    readonly notAtRoot: readonly string[];
    readonly propertiesAtRoot: boolean;
    readonly itemsNeeded: boolean;
    /** of top-level members; null: any */
    readonly memberNames: RegExp | null;
    readonly patterns: boolean;
    /** rebuilt only */
    readonly nullAs: 'keyword' | 'type_list' | 'alternative';
    readonly alternatives: boolean;
    readonly listsOf: 'texts' | 'values';
    readonly formats: ReadonlySet<string>;
    /** every object closed and every member required (strict functions) */
    readonly closed: boolean;
  };
  /** what beside text a tool result may carry on this route; what is not here is told in words */
  readonly toolResults: {
    readonly media: ReadonlySet<string>;
    /** of one medium in base64, and the larger side of a picture */
    readonly maxBase64Bytes: number;
    readonly maxPixels: number;
    /** of one result, and base64 bytes of one request */
    readonly maxMedia: number;
    readonly maxRequestBase64Bytes: number;
    /** a result that is marked as an error may carry media too */
    readonly mediaWithErrors: boolean;
  };
  /** rule -> where it is written down */
  readonly sources: Readonly<Record<RouteRule, string>>;
}

export const ROUTE_RULES = ['names', 'limit', 'root', 'alternatives', 'keywords', 'types', 'null', 'lists', 'items', 'patterns', 'references', 'members', 'required', 'strict', 'results'] as const;
export type RouteRule = (typeof ROUTE_RULES)[number];

/** Levels of a schema that contains itself, before the rest is told in words. */
export const UNROLL_DEPTH = 3;
/** Of one rendering, as JSON. */
export const MAX_RENDERING_BYTES = 65_536;

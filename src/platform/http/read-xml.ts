import { setImmediate } from 'node:timers/promises';
import sax from 'sax';

/** An element of an XML document, with its name without a namespace prefix. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text of the element, without blanks around it and without the text of its children. */
  readonly text: string;
};

export type XmlReading =
  | { readonly kind: 'document'; readonly root: XmlElement }
  /** The text is not well-formed, has a document type, or has more than MAX_DEPTH nested elements. */
  | { readonly kind: 'malformed' };

/** The maximum number of nested elements. Messages of banks have about 15. */
export const MAX_DEPTH = 40;

/** The number of characters that are parsed before other requests get a turn. */
const SLICE_CHARACTERS = 16_384;

type OpenElement = XmlElement & { readonly children: XmlElement[]; text: string };

/**
 * Reads an XML document. Document types are refused, so there are no entities of the document's own. Reads in slices, so
 * that other requests are served in between.
 */
export async function readXml(text: string): Promise<XmlReading> {
  const parser = sax.parser(true, { trim: true });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let isMalformed = false;
  const refuse = (): void => {
    isMalformed = true;
  };
  // Assigned together, because the linter takes single assignments for listeners of the DOM.
  Object.assign(parser, {
    onerror: refuse,
    ondoctype: refuse,
    onopentag: ({ name, attributes }) => {
      const given = attributes as Record<string, string>;
      const element = { name: localName(name), attributes: given, children: [], text: '' };
      open.at(-1)?.children.push(element);
      root ??= element;
      open.push(element);
      isMalformed ||= open.length > MAX_DEPTH;
    },
    ontext: (piece) => {
      const element = open.at(-1);
      if (element !== undefined) element.text += piece;
    },
    onclosetag: () => {
      open.pop();
    },
  } satisfies Partial<sax.SAXParser>);
  for (let from = 0; from < text.length && !isMalformed; from += SLICE_CHARACTERS) {
    parser.write(text.slice(from, from + SLICE_CHARACTERS));
    await setImmediate();
  }
  if (!isMalformed) parser.close();
  return isMalformed || root === undefined ? { kind: 'malformed' } : { kind: 'document', root };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

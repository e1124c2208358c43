import { setImmediate } from 'node:timers/promises';
import sax from 'sax';

/** An element of an XML document, with its name without a namespace prefix. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The child elements by name. Repeated elements of one name are in the order of the document. */
  readonly children: ReadonlyMap<string, readonly XmlElement[]>;
  /** The text of the element, without blanks around it and without the text of its children. */
  readonly text: string;
};

export type XmlReading =
  | { readonly kind: 'document'; readonly root: XmlElement }
  /** The text is not well-formed, has a document type, or has more than MAX_DEPTH nested elements. */
  | { readonly kind: 'malformed' }
  /** The document has more than MAX_ELEMENTS elements. */
  | { readonly kind: 'too-many-elements' };

/** The maximum number of nested elements. Messages of banks have about 15. */
export const MAX_DEPTH = 40;

/** The maximum number of elements. A bank message with 1,000 payments has about 20,000. */
export const MAX_ELEMENTS = 50_000;

/** The number of characters that are parsed before other requests get a turn. */
const SLICE_CHARACTERS = 16_384;

type OpenElement = Omit<XmlElement, 'children' | 'text'> & {
  readonly children: Map<string, XmlElement[]>;
  text: string;
};

/**
 * Reads an XML document. Refuses document types, so a document can't define its own entities. Reads in slices, so that
 * other requests are served in between.
 */
export async function readXml(text: string): Promise<XmlReading> {
  const parser = sax.parser(true, { trim: true });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  // An exception stops the parser immediately. Otherwise, the parser would continue and create an error for each
  // further fault.
  const refuse = (): never => {
    throw new Malformed();
  };
  // Assign the handlers together, because the linter mistakes single assignments for DOM event handlers.
  Object.assign(parser, {
    onerror: refuse,
    ondoctype: refuse,
    onopentag: ({ name, attributes }) => {
      const given = attributes as Record<string, string>;
      const element: OpenElement = { name: localName(name), attributes: given, children: new Map(), text: '' };
      const parent = open.at(-1);
      if (parent !== undefined) append(parent, element);
      root ??= element;
      open.push(element);
      elements += 1;
      if (open.length > MAX_DEPTH || elements > MAX_ELEMENTS) refuse();
    },
    ontext: (piece) => {
      const element = open.at(-1);
      if (element !== undefined) element.text += piece;
    },
    onclosetag: () => {
      open.pop();
    },
  } satisfies Partial<sax.SAXParser>);
  try {
    for (let from = 0; from < text.length; from += SLICE_CHARACTERS) {
      parser.write(text.slice(from, from + SLICE_CHARACTERS));
      await setImmediate();
    }
    parser.close();
  } catch (error) {
    // sax throws a TypeError for the second attribute of an element whose first attribute is named "hasOwnProperty".
    if (!(error instanceof Malformed) && !(error instanceof TypeError)) throw error;
    return { kind: elements > MAX_ELEMENTS ? 'too-many-elements' : 'malformed' };
  }
  return root === undefined ? { kind: 'malformed' } : { kind: 'document', root };
}

class Malformed extends Error {}

function append(parent: OpenElement, child: XmlElement): void {
  const named = parent.children.get(child.name);
  if (named === undefined) parent.children.set(child.name, [child]);
  else named.push(child);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

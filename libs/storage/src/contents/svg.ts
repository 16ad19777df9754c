import { SaxesParser } from 'saxes';
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { ContentRefusal } from './content-refusal.js';

/** Maximum size of an SVG in bytes, because a parse needs the whole file in memory. */
export const MAX_SVG_BYTES = 1024 * 1024;

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';

/** Elements that run, embed or load something. */
const ELEMENTS: ReadonlySet<string> = new Set(
  'script foreignobject iframe embed object audio video canvas handler listener link meta base feimage'.split(' '),
);
const ANIMATIONS: ReadonlySet<string> = new Set(['animate', 'set', 'animatemotion', 'animatetransform']);
const REFERENCES: ReadonlySet<string> = new Set(['href', 'src', 'from', 'to', 'by', 'values', 'action', 'formaction']);
/** References to a part of the same document, or to a raster image in the file. */
const INNER = /^(?:#|data:image\/(?:png|jpeg|gif|webp);base64,)/i;
/** References of CSS, which occur in attributes such as `fill`, too. */
const OUTER_URL = /url\(\s*(?!["']?#)/i;

/**
 *
 * @throws {ContentRefusal} for scripts, event handlers, foreign content, references out of the file, and invalid XML
 */
export function requireSafeSvg(bytes: Buffer): void {
  if (bytes.length > MAX_SVG_BYTES) refuse(`An SVG has at most ${MAX_SVG_BYTES} bytes`);
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let style: string | undefined;
  parser.on('error', (error) => refuse(`It is not well-formed XML: ${error.message}`));
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') refuse('The encoding must be UTF-8');
  });
  // Entities of a document type can hide anything.
  parser.on('doctype', () => refuse('Remove the DOCTYPE'));
  parser.on('processinginstruction', ({ target }) => refuse(`Remove the processing instruction ${target}`));
  parser.on('opentag', (tag) => {
    if (depth === 0 && (tag.local !== 'svg' || tag.uri !== SVG)) refuse('The root element is not svg');
    requireSafeTag(tag);
    if (tag.local.toLowerCase() === 'style') style = '';
    depth += 1;
  });
  parser.on('closetag', ({ local }) => {
    depth -= 1;
    if (local.toLowerCase() !== 'style') return;
    requireSafeCss(style ?? '');
    style = undefined;
  });
  const addText = (text: string): void => {
    if (style !== undefined) style += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(utf8(bytes)).close();
}

function requireSafeTag({ name, local, uri, attributes }: SaxesTagNS): void {
  const element = local.toLowerCase();
  if (uri === XHTML || ELEMENTS.has(element)) refuse(`Remove the element ${name}`);
  for (const attribute of Object.values(attributes)) {
    requireSafeAttribute(element, attribute);
  }
}

function requireSafeAttribute(element: string, { name, local, prefix, value }: SaxesAttributeNS): void {
  const attribute = local.toLowerCase();
  if (prefix === 'xmlns' || name === 'xmlns') return;
  if (attribute.startsWith('on')) refuse(`Remove the event handler ${name}`);
  if (name.toLowerCase() === 'xml:base') refuse('Remove xml:base');
  if (attribute === 'attributename' && ANIMATIONS.has(element) && /^(?:on|(?:\w+:)?href$)/i.test(value.trim()))
    refuse(`Remove the animation of ${value.trim()}`);
  const points = attribute === 'href' || attribute === 'src';
  if (points && !INNER.test(value.trim())) refuse(`${name} must point into the file`);
  if (REFERENCES.has(attribute) && /(?:java|vb)script\s*:|data:text/i.test(value))
    refuse(`Remove the script in ${name}`);
  if (attribute === 'style') requireSafeCss(value);
  else if (OUTER_URL.test(value)) refuse(`${name} must point into the file`);
}

/** Refuses escapes too, because an escape can spell any forbidden word. */
function requireSafeCss(css: string): void {
  if (
    /@import|expression\s*\(|-moz-binding|behavior\s*:|javascript:|\\|image-set|image\(|src\(/i.test(css) ||
    OUTER_URL.test(css)
  )
    refuse('Remove imports, outer references and escapes from the styles');
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('It is not UTF-8');
  }
}

function refuse(detail: string): never {
  throw new ContentRefusal('unsafe_svg', detail);
}

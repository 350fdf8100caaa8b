// The catalogs of texts. Run as a program, it copies them next to the module that reads them, in dist or another folder.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { FluentResource } from '@fluent/bundle';

const SOURCE = 'src/text/catalogs';

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  cpSync(SOURCE, `${process.argv[2] ?? 'dist'}/text/catalogs`, { recursive: true });

/** Texts that the exporter sends in English. The page has them only in other languages. */
const SENT = /^(?:failure|end)-(?!still)/;

/** Calls that say a message, with its id or a composed one such as `problem-${problem}-meaning`. */
const CALL = /\b(say|sayIf|sayInEnglish|translated)\(\s*(?:'([\w-]+)'|`([\w-]*)\$\{([^`]+)\}([\w-]*)`)/g;

/** Writes English messages, which have no values on the page, into a source text. Marks the ids of others for textsOf. */
export function markIds(source) {
  return source.replace(CALL, (_, call, id, before, value, after) => {
    if (id === undefined) return `${call}(["@@${before}*${after}", ${value}]`;
    return call === 'sayInEnglish' ? `(${JSON.stringify(ENGLISH.get(id))}` : `${call}("@@${id}"`;
  });
}

const MARK = /"@@([\w*-]+)"/g;

/**
 * Replaces the marked ids in a script with numbers, and returns its messages in each language as a list, in English if a
 * language lacks one. Messages with composed ids are in an object, by the part in which the ids differ.
 */
export function textsOf(script) {
  const ids = [...new Set(Array.from(script.matchAll(MARK), ([, id]) => id))];
  const texts = readdirSync(SOURCE).map((file) => {
    const language = file.replace('.ftl', '');
    const messages = new Map([...ENGLISH, ...messagesIn(file)]);
    const severalOf = (mark) => {
      const id = new RegExp(`^${mark.replace('*', '([^-]+)')}$`);
      const found = [...messages].flatMap(([each, text]) => {
        const [, value] = id.exec(each) ?? [];
        // A status without a text is written as its own name.
        const isKnown = SENT.test(each) || (mark === 'status-*' && text === value?.replaceAll('_', ' '));
        return value === undefined || (language === 'en' && isKnown) ? [] : [[value, text]];
      });
      return Object.fromEntries(found);
    };
    return [language, ids.map((id) => (id.includes('*') ? severalOf(id) : (messages.get(id) ?? 0)))];
  });
  return { script: script.replaceAll(MARK, (_, id) => ids.indexOf(id)), texts: Object.fromEntries(texts) };
}

/** Writes a pattern in the page's form: `{ $count }` as `{count}`, and plurals as an object. */
function compact(pattern) {
  if (typeof pattern === 'string') return pattern;
  const parts = pattern.map((part) => {
    if (typeof part === 'string') return part;
    if (part.type === 'var') return `{${part.name}}`;
    if (part.type === 'str') return part.value;
    if (part.type !== 'select' || part.selector.type !== 'var')
      throw new Error(`The page cannot show a ${part.type}: packaging/texts.mjs`);
    const variants = part.variants.map(({ key, value }) => [key.value, compact(value)]);
    const [other] = variants.splice(part.star, 1);
    return { of: part.selector.name, ...Object.fromEntries(variants), other: other[1] };
  });
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return parts.length === 1 ? parts[0] : parts;
}

function messagesIn(file) {
  const { body } = new FluentResource(readFileSync(`${SOURCE}/${file}`, 'utf8'));
  return new Map(body.map(({ id, value }) => [id, compact(value)]));
}

const ENGLISH = messagesIn('en.ftl');

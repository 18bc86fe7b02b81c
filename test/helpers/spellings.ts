/** How upstreams that echo a request can spell a secret, each ASCII. */
const percent = (text: string) => [...Buffer.from(text)].map(byte => `%${byte.toString(16)}`).join('')
const reserved = (text: string) => encodeURIComponent(text)
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const units = (text: string, of: (unit: string) => string) =>
  Array.from({ length: text.length }, (_, at) => of(text.charCodeAt(at).toString(16))).join('')
const inBase64 = (text: string, before: string) => Buffer.from(`${before}${text}\r\n`).toString('base64')

export const SPELLINGS: Record<string, (secret: string) => string> = {
  plain: text => text,
  'upper case': text => text.toUpperCase(),
  'percent-encoded': reserved,
  'percent-encoded in lower case': text => reserved(text).replace(/%../g, byte => byte.toLowerCase()),
  'percent-encoded byte by byte': percent,
  'percent-encoded twice': text => reserved(reserved(text)),
  'percent-encoded byte by byte, three times': text => reserved(reserved(percent(text))),
  JSON: json,
  'JSON with escaped slashes': text => json(text).replaceAll('/', '\\/'),
  'JSON escapes': text => units(text, hex => `\\u${hex.padStart(4, '0')}`),
  'JSON in JSON': text => json(json(text).replaceAll('/', '\\/')),
  'hexadecimal entities': text => units(text, hex => `&#x${hex};`),
  'decimal entities': text => units(text, hex => `&#${Number.parseInt(hex, 16)};`),
  'named entities': text =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll('/', '&sol;')
      .replaceAll('@', '&commat;'),
  'with line breaks': text => text.replace(/.{5}/g, '$&\r\n '),
  hex: text => Buffer.from(text).toString('hex'),
  base64: text => inBase64(text, ''),
  'base64 of a header': text => inBase64(text, 'k: '),
  'base64 of another header': text => inBase64(text, 'ab: '),
  'base64url of a third header': text => Buffer.from(`key: ${text}`).toString('base64url')
}

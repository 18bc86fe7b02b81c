/**
 * Reads base64. Node skips characters that are not base64, so the length shows whether there were any.
 * @throws RangeError for anything else
 */
export function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (text.length % 4 !== 0 || bytes.length !== Buffer.byteLength(text, 'base64')) {
    throw new RangeError('this is not base64')
  }
  return bytes
}

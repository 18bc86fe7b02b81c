import type { IncomingMessage } from 'node:http'
import { invalidRequest } from '../json-rpc.ts'
import { MAX_BODY_BYTES } from '../limits.ts'

/**
 * The request's body as text. A body that is too large is read to its end and dropped, so that the client gets
 * to see the answer.
 * @throws RpcError (-32600) above 1,000,000 bytes
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > MAX_BODY_BYTES) throw invalidRequest('error reading request body: http: request body too large')
  return Buffer.concat(chunks).toString()
}

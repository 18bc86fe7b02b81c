import { connect } from 'node:net'
import { received } from '../helpers/raw-connection.ts'

/** A request as it goes over the wire; an HTTP client would refuse to send some of them. */
export interface RawRequest {
  method: string
  target: string
  headers: [name: string, value: string][]
  body: string
  /** The encoding of headers and body; `latin1` makes bytes that are not valid UTF-8. */
  encoding: 'utf8' | 'latin1'
}

export interface RawResponse {
  status: number
  headers: Map<string, string>
  body: string
}

/** Sends one request over a connection of its own. @throws when the answer is not HTTP */
export function sendRaw(port: number, request: RawRequest): Promise<RawResponse> {
  return sendBytes(port, bytesOf(request))
}

export function bytesOf({ method, target, headers, body, encoding }: RawRequest): Buffer {
  const content = Buffer.from(body, encoding)
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'host: service.example',
    'connection: close',
    `content-length: ${content.length}`,
    ...headers.map(([name, value]) => `${name}: ${value}`)
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, encoding), content])
}

/**
 * Sends bytes over a connection of its own, and reads one answer until the server closes the connection.
 * @throws when the answer is not HTTP
 */
export async function sendBytes(port: number, ...parts: (Buffer | string)[]): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1')
  // The server may answer and close the connection before it has read everything; the answer counts.
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  return readAnswer(await received(socket))
}

/** @throws when it is not HTTP */
function readAnswer(answer: string): RawResponse {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [statusLine = '', ...fields] = head.split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? []
  if (status === undefined) throw new Error(`no HTTP answer but ${JSON.stringify(answer)}`)
  const pairs = fields.map((field): [string, string] => {
    const [name = '', value = ''] = field.split(/: (.*)/s)
    return [name.toLowerCase(), value]
  })
  return { status: Number(status), headers: new Map(pairs), body: rest.join('\r\n\r\n') }
}

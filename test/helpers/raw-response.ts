import { connect } from 'node:net'
import { received } from './raw-connection.ts'

export interface RawResponse {
  status: number
  headers: Map<string, string>
  body: string
}

/**
 * Sends bytes over a separate connection, and reads one response until the server closes it.
 * @throws when the response is not HTTP
 */
export async function sendBytes(port: number, ...parts: (Buffer | string)[]): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1')
  // The server may respond and close before it has read everything; only the response counts.
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  const [head = '', ...rest] = (await received(socket)).split('\r\n\r\n')
  const [statusLine = '', ...fields] = head.split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? []
  if (status === undefined) throw new Error(`no HTTP response but ${JSON.stringify(head)}`)
  const pairs = fields.map((field): [string, string] => {
    const [name = '', value = ''] = field.split(/: (.*)/s)
    return [name.toLowerCase(), value]
  })
  return { status: Number(status), headers: new Map(pairs), body: rest.join('\r\n\r\n') }
}

import { Pool } from 'undici'
import type { Clock } from '../../clock.ts'
import { parseJson } from '../../json.ts'
import type { UpstreamUrl } from '../../upstream/url.ts'
import { NodeUnavailableError, RpcError } from '../errors.ts'
import { RpcAnswer } from './answer-shapes.ts'
import { type AnswerBounds, type Call, createTimeLimits } from './limits.ts'

/** The path of the ABCI query that simulates a transaction. */
const SIMULATE_PATH = '/cosmos.tx.v1beta1.Service/Simulate'

/** The methods that this service calls. */
export type RpcMethod = Exclude<Call, 'account' | 'simulate'> | 'abci_query'

type Params = Readonly<Record<string, unknown>>

export type RpcConnection = ReturnType<typeof createRpcConnection>

function kindOf(method: RpcMethod, { path }: Params): Call {
  if (method !== 'abci_query') return method
  return path === SIMULATE_PATH ? 'simulate' : 'account'
}

/**
 * JSON-RPC calls to one node, with persistent connections, time-outs that grow with what is asked, and answers that are
 * cut off at a bound for each method.
 * @param options.timeoutMs how long a call may take before the limits grow
 */
export function createRpcConnection(
  url: UpstreamUrl,
  options: { timeoutMs: number; bounds: AnswerBounds; clock: Clock }
) {
  const { timeoutMs, bounds, clock } = options
  const limits = createTimeLimits(timeoutMs)
  const pool = new Pool(url.origin)

  async function post(request: object, kind: Call, signal: AbortSignal): Promise<unknown> {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: url.target(''),
      headers: { 'content-type': 'application/json', ...url.headers },
      body: JSON.stringify(request),
      signal
    })
    const size = bounds.start(kind)
    const chunks: Buffer[] = []
    try {
      // Leaving the loop by an error ends the connection.
      for await (const chunk of body) {
        size.add(chunk.length)
        chunks.push(chunk)
      }
      if (statusCode >= 400) throw new Error(`HTTP status ${statusCode}`)
      const answer = parseJson(Buffer.concat(chunks).toString())
      // The parser's own error would repeat a part of the text, which may be a part of a secret.
      if (answer === undefined) throw new Error('the answer is not JSON')
      return answer
    } finally {
      size.end()
    }
  }

  /** @returns the result, as the node wrote it. @throws NodeUnavailableError, RpcError */
  async function call(method: RpcMethod, params: Params = {}): Promise<unknown> {
    const kind = kindOf(method, params)
    const limitMs = limits.of(kind)
    const startedAt = clock.elapsed()
    const timeout = new AbortController()
    const cancel = clock.after(limitMs, () => timeout.abort(new Error(`no answer within ${limitMs} ms`)))
    try {
      const answer = await post({ jsonrpc: '2.0', id: method, method, params }, kind, timeout.signal)
      if (!RpcAnswer.Check(answer)) throw new Error('the answer is not JSON-RPC')
      limits.answered(kind, clock.elapsed() - startedAt)
      if ('result' in answer) return answer.result
      const { code, message, data = '' } = answer.error
      throw new RpcError(code, message, typeof data === 'string' ? data : JSON.stringify(data), url.scrub)
    } catch (error) {
      if (error instanceof RpcError) throw error
      const late = timeout.signal.aborted
      if (late) limits.late(kind, limitMs)
      const reason = url.scrub(error instanceof Error ? error.message : String(error))
      throw new NodeUnavailableError(url.host, reason, { late })
    } finally {
      cancel()
    }
  }

  return { call, close: () => pool.destroy() }
}

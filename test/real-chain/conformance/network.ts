import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { until } from '../../helpers/until.ts'

const PUBLICATION_MS = 40

/** What a node answers to an HTTP request. `body` is the parsed JSON, or the text when it is none. */
export interface HttpAnswer {
  status: number
  contentType: string | null
  body: unknown
}

/** One of the two networks, as a client sees it. */
export interface Network {
  readonly sdk: '0.47' | '0.53'
  readonly chainId: string
  /** A JSON-RPC request in a POST body. */
  call(method: string, params?: unknown): Promise<HttpAnswer>
  /** The height of the newest block. */
  height(): Promise<number>
  /** Waits until the next block is made and executed. @returns its height */
  nextBlock(): Promise<number>
  connect(): Promise<Socket>
}

/** A WebSocket connection whose messages are read in order. */
export interface Socket {
  /** Sends a JSON-RPC request and returns the next message. */
  ask(id: unknown, method: string, params?: unknown): Promise<unknown>
  /** The next message. */
  next(): Promise<unknown>
  close(): void
}

export function openNetwork(url: string, { sdk, chainId }: Pick<Network, 'sdk' | 'chainId'>): Network {
  async function call(method: string, params: unknown = {}): Promise<HttpAnswer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', body })
    const contentType = response.headers.get('content-type')
    return { status: response.status, contentType, body: parsed(await response.text()) }
  }

  async function height(): Promise<number> {
    const { body } = await call('status')
    return Number(at(body, 'result', 'sync_info', 'latest_block_height'))
  }

  return {
    sdk,
    chainId,
    call,
    height,
    async nextBlock() {
      const before = await height()
      const next = await until(
        async () => {
          const now = await height()
          return now > before && now
        },
        `block ${before + 1} is made`
      )
      // A node announces a block before it has executed it; it publishes events and indexes after that.
      await until(async () => {
        const { body } = await call('consensus_params', { height: String(next + 1) })
        return at(body, 'result') !== undefined
      }, `block ${next} is executed`)
      await delay(PUBLICATION_MS)
      return next
    },
    connect: () => openSocket(new URL('/websocket', url.replace('http:', 'ws:')))
  }
}

async function openSocket(url: URL): Promise<Socket> {
  const socket = new WebSocket(url)
  const received: unknown[] = []
  socket.on('message', data => received.push(parsed(String(data))))
  await once(socket, 'open')
  const next = () => until(() => received.length > 0 && [received.shift()], 'a message arrives')

  async function nextMessage(): Promise<unknown> {
    const [message] = await next()
    return message
  }
  return {
    ask(id, method, params = {}) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return nextMessage()
    },
    next: nextMessage,
    close: () => socket.terminate()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a JSON value has at a path; undefined when there is no such place. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value
  )
}

import { type TSchema, Type } from '@sinclair/typebox'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetControl } from './index.ts'

const Count = Type.Integer({ minimum: 1 })
const Blocks = Type.Integer({ minimum: 0 })
const Hash = Type.String({ pattern: '^[0-9a-fA-F]{64}$' })
const Digits = Type.String({ pattern: '^\\d{1,30}$' })
const Decimal = Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,18})?$' })
const Node = Type.Optional(Type.Union([Type.Literal('first'), Type.Literal('lagging')]))
const Text = Type.String({ minLength: 1 })

const body = <T extends Record<string, TSchema>>(fields: T) => ({
  schema: { body: Type.Object(fields, { additionalProperties: false }) }
})

const failure = { count: Count, code: Count, codespace: Type.String(), log: Type.String() }

/**
 * The controls over HTTP: `POST /<control>` with a JSON object (devnet/README.md has the table), answered with a
 * JSON object. 400 for a body that the control does not accept.
 */
export async function createControlServer(
  control: DevnetControl,
  options: ListenOptions
): Promise<RunningServer> {
  const app = createApp()
  app.post('/pause', async () => done(control.pause()))
  app.post('/resume', async () => done(control.resume()))
  app.post('/produce-blocks', body({ count: Count }), async ({ body }) =>
    done(control.produceBlocks(body.count))
  )
  app.post('/block-time', body({ ms: Count }), async ({ body }) => done(control.setBlockTime(body.ms)))
  app.post('/evict', body({ hash: Hash }), async ({ body }) => ({ evicted: control.evict(body.hash) }))
  app.post('/restart', async () => done(control.restart()))
  app.post('/mempool-size', body({ size: Blocks }), async ({ body }) =>
    done(control.setMempoolSize(body.size))
  )
  app.post('/drop-next', body({ count: Count, cached: Type.Boolean() }), async ({ body }) =>
    done(control.dropNext(body))
  )
  app.post('/refuse-next', body(failure), async ({ body }) => done(control.refuseNext(body)))
  app.post(
    '/fail-messages',
    body({ ...failure, containing: Type.Optional(Text), simulated: Type.Boolean() }),
    async ({ body }) => done(control.failMessages(body))
  )
  app.post('/max-block-gas', body({ gas: Digits }), async ({ body }) =>
    done(control.setMaxBlockGas(BigInt(body.gas)))
  )
  app.post('/min-gas-price', body({ price: Decimal }), async ({ body }) =>
    done(control.setMinGasPrice(body.price))
  )
  app.post('/allow', body({ address: Text }), async ({ body }) => done(control.allow(body.address)))
  app.post('/disallow', body({ address: Text }), async ({ body }) => done(control.disallow(body.address)))
  app.post('/balance', body({ address: Text, amount: Digits }), async ({ body }) =>
    done(control.setBalance(body.address, BigInt(body.amount)))
  )
  app.post(
    '/send',
    body({
      from: Type.Union([Type.Literal('development'), Type.Literal('other')]),
      to: Type.Optional(Text),
      amount: Type.Optional(Digits),
      atHead: Type.Optional(Type.Boolean()),
      unordered: Type.Optional(Type.Boolean())
    }),
    async ({ body: { amount, ...rest } }) => ({
      hash: await control.send({ ...rest, ...(amount !== undefined && { amount: BigInt(amount) }) })
    })
  )
  app.post(
    '/tx-index',
    body({ index: Type.Union([Type.Literal('true'), Type.Literal('missing'), Type.Literal('wrong')]) }),
    async ({ body }) => done(control.setTxIndex(body.index))
  )
  app.post('/status-ahead', body({ blocks: Blocks }), async ({ body }) =>
    done(control.setStatusAhead(body.blocks))
  )
  app.post('/lag', body({ blocks: Blocks }), async ({ body }) => done(control.setLag(body.blocks)))
  app.post('/prune', body({ height: Count, node: Node }), async ({ body }) =>
    done(control.prune(body.height, body.node))
  )
  app.post('/freeze', body({ node: Node }), async ({ body }) => done(control.setFrozen(true, body.node)))
  app.post('/thaw', body({ node: Node }), async ({ body }) => done(control.setFrozen(false, body.node)))
  app.post('/upgrade', body({ chainId: Text }), async ({ body }) => done(control.upgrade(body.chainId)))
  return listen(app, options)
}

/** The answer of a control without a result. */
function done(_nothing: unknown) {
  return { done: true }
}

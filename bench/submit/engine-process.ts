import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import app from '../../app.ts'
import { loadConfig } from '../../config/index.ts'
import { serverOptions } from '../../config/server-options.ts'
import { transferRequest } from '../../test/helpers/transfer-request.ts'

/** A bound for the case of a fault, not a measure. */
const PATIENCE_MS = 120_000

/**
 * The service's submission engine without HTTP: `engine-process.ts CREATOR IN_FLIGHT`, configured by the environment.
 * It keeps that many submissions unsettled until its parent stops it, and reports how many were settled.
 */
const [creator = '', inFlight = ''] = process.argv.slice(2)
const { config, secrets } = loadConfig(process.env)
const server: FastifyInstance = Fastify(serverOptions(config))
server.register(app({ config, secrets }))
await server.ready()
const { submissions } = server

let going = true
const settled = { committed: 0, others: 0 }
const report = (topic: string) => void process.send?.({ topic, ...settled })

async function submitter(): Promise<void> {
  while (going) {
    const { submissionId } = await submissions.submit(transferRequest(randomUUID(), { creator }))
    const { status } = await submissions.settled(submissionId, PATIENCE_MS)
    settled[status === 'committed' ? 'committed' : 'others'] += 1
  }
}

process.on('message', (message: { topic: string }) => {
  if (message.topic === 'settled') report('settled')
  if (message.topic === 'stop') going = false
})
report('ready')
await Promise.all(Array.from({ length: Number(inFlight) }, submitter))
report('done')
await server.close()
process.disconnect()

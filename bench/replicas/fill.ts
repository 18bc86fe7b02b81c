import type { Benchmark } from '../lab.ts'
import { countOutcomes, isCommitted, serviceClients } from '../load/clients.ts'
import { startNetwork } from '../processes/network.ts'
import { startDatabaseServer } from '../processes/postgres.ts'
import { createReplicas } from '../processes/replicas.ts'
import {
  CLIENTS,
  fullness,
  NETWORK,
  type Run,
  run,
  runService,
  SERVICE_MS,
  SHORT_MS
} from '../submit/fill.ts'

const REPLICAS = 3

const failures = ({ answers }: Run) => answers.filter(answer => !isCommitted(answer)).length

/** How full three replicas on one database make blocks, beside one process with the embedded store. */
export const fill: Benchmark = async lab => {
  const database = await startDatabaseServer(lab)
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const embedded = await runService(network, lab)

  const { running, start } = createReplicas(lab, network, await database.createDatabase())
  await Promise.all(Array.from({ length: REPLICAS }, start))
  const { submit, close } = serviceClients(
    running.map(({ url }) => url),
    CLIENTS
  )
  const shared = await run(network, CLIENTS, submit, lab.isShort ? SHORT_MS : SERVICE_MS)
  await close()

  const beside = (value: number) => [{ label: 'one process, embedded store', value }]
  const distinct = new Set(shared.answers.filter(isCommitted).map(({ txId }) => txId)).size
  return {
    name: 'fill',
    conditions:
      `${CLIENTS} clients on ${REPLICAS} replicas, each of which submits again when it has its answer; blocks of ` +
      `${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
    figures: [
      {
        name: 'how full the blocks are',
        unit: '%',
        value: fullness(shared.blocks).percent,
        target: { atLeast: 99 },
        beside: beside(fullness(embedded.blocks).percent)
      },
      {
        name: 'submissions in a block',
        unit: '',
        value: fullness(shared.blocks).perBlock,
        beside: [{ label: 'it can hold', value: fullness(shared.blocks).capacity }]
      },
      { name: 'submissions per second', unit: '/s', value: shared.rate, beside: beside(embedded.rate) },
      {
        name: 'failed',
        unit: '',
        value: failures(shared),
        target: { atMost: 0 },
        beside: beside(failures(embedded))
      }
    ],
    notes: [
      `The replicas: ${JSON.stringify(countOutcomes(shared.answers))}, with ${distinct} transaction ids.`
    ]
  }
}

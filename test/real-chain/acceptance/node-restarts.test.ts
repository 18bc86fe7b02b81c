import { randomInt } from 'node:crypto'
import { createFrontDoor } from '../../faults/front-door.ts'
import { startLoad } from '../../faults/load.ts'
import { decided, send } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { testEnv } from '../../helpers/app.ts'
import { startServer } from '../../helpers/server-process.ts'
import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startServiceNetwork } from './service-network.ts'

const TOGETHER = 3
const WITHOUT_NODE = 10

testEachBuild('loses nothing when the node is killed, alone or with the server', async (t, sdk) => {
  const seed = Number(process.env['SEED']) || randomInt(2 ** 31)
  t.comment(`SEED=${seed}`)
  const { chain, network } = await startServiceNetwork(t, { sdk })
  // Slightly longer than the block time, so that some responses are "pending".
  const env = testEnv(t, network, { SERVICE_SUBMIT_TIMEOUT: '600' })
  const door = createFrontDoor()
  t.teardown(door.close)
  let server = await startServer(t, env)
  const { answers, finish } = startLoad(door, seed)
  door.open(server.url)
  const committed = () =>
    [...answers.values()].filter(given => given.some(({ status }) => status === 'committed')).length
  async function moreCommitted(count: number): Promise<void> {
    const awaited = committed() + count
    await until(() => committed() >= awaited, `${awaited} transfers are committed`)
  }

  const others: string[] = []
  for (const end of [chain.stop, chain.kill]) {
    await moreCommitted(30)
    await end()
    const feeIds = Array.from({ length: WITHOUT_NODE }, (_, index) => `other-${others.length + index}`)
    const given = await Promise.all(feeIds.map(feeId => send(server.url, feeId)))
    for (const [index, feeId] of feeIds.entries()) answers.set(feeId, given.slice(index, index + 1))
    others.push(...feeIds)
    await chain.restart()
  }
  for (let round = 1; round <= TOGETHER; round += 1) {
    await moreCommitted(10)
    door.close()
    await Promise.all([server.stop('SIGKILL'), chain.kill()])
    await chain.restart()
    server = await startServer(t, env)
    door.open(server.url)
  }
  await moreCommitted(30)
  await finish()
  for (const given of others.map(feeId => answers.get(feeId) ?? []))
    for (const answer of given.splice(0)) given.push(answer, await decided(server.url, answer))
  await assertAnswersHold(t, network, server.url, answers)
  t.equal(await server.stop('SIGTERM'), 0)
})

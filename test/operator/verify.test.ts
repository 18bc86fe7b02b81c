import { join } from 'node:path'
import Database from 'libsql'
import { type Test, test } from 'tap'
import { startNetwork } from '../helpers/app.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'

/** A network and a data directory with two committed submissions and one that the chain refused by an event. */
async function settledStore(t: Test) {
  const devnet = await startNetwork(t)
  const { engine, submit, directory, address } = await startEngine(t, devnet)
  const refusedTarget = { targetAddress: '0x00000000000000000000000000000000000000f6' }
  const taken = [await submit('a'), await submit('b'), await submit('refused', refusedTarget)]
  const settled = await Promise.all(taken.map(({ submissionId }) => engine.settled(submissionId, 60_000)))
  t.strictSame(
    settled.map(({ status }) => status),
    ['committed', 'committed', 'rejected']
  )
  const ids = taken.map(({ submissionId }) => submissionId)
  return { devnet, directory, address, ids, tool: operatorTool(t, devnet, directory) }
}

function edit(directory: string, sql: string, ...parameters: (string | number)[]): void {
  const database = new Database(join(directory, 'submissions.db'))
  database.prepare(sql).run(...parameters)
  database.close()
}

test('settled submissions match the blocks, also beside a running server', async t => {
  const { tool } = await settledStore(t)
  const { code, out, err } = await tool('verify', '--from', '1')
  t.equal(code, 0)
  t.equal(err, '')
  t.match(out, /^Blocks 1 to \d+: 2 committed submissions match, 0 differences\.\n$/)
})

test('every kind of difference is reported, with exit code 1', async t => {
  const { directory, ids, tool } = await settledStore(t)
  const [a, b, refused] = ids
  edit(directory, 'UPDATE submission SET tx_id = 77 WHERE submission_id = ?', a ?? '')
  const wrongId = await tool('verify', '--from', '1')
  t.equal(wrongId.code, 1)
  t.match(wrongId.out.split('\n'), [
    `${a} is committed, but no such transaction executed it`,
    new RegExp(`^${a} is committed, but executed by transaction [0-9A-F]{64} in block \\d+, txId \\d$`),
    /1 committed submissions match, 2 differences/
  ])
  edit(
    directory,
    `UPDATE submission SET status = 'rejected', error = '{"code":1,"codespace":"x","message":"y"}'
    WHERE submission_id = ?`,
    a ?? ''
  )
  t.match(await tool('verify', '--from', '1'), {
    code: 1,
    out: new RegExp(`^${a} is rejected, but executed by`)
  })
  edit(directory, "UPDATE submission SET status = 'queued', sequence = NULL WHERE submission_id = ?", a ?? '')
  t.match(await tool('verify', '--from', '1'), {
    code: 1,
    out: new RegExp(`^${a} is queued, but executed by`)
  })
  edit(directory, 'DELETE FROM submission WHERE submission_id = ?', a ?? '')
  t.match(await tool('verify', '--from', '1'), {
    code: 0,
    out: /1 committed submissions match, 0 differences\.\n1 executed requests of the wallet are not in the store/
  })
  edit(
    directory,
    `UPDATE submission SET status = 'committed', transaction_hash = 'AA', gas_used = 1, gas_wanted = 1,
    events = '[]' WHERE submission_id = ?`,
    refused ?? ''
  )
  t.match(await tool('verify', '--from', '1'), {
    code: 1,
    out: new RegExp(
      `^${refused} is committed, but no such transaction executed it\n.*1 committed submissions match`
    )
  })
  t.ok(b)
})

test('the range must have been read, and the node must have it', async t => {
  const { devnet, tool } = await settledStore(t)
  t.match(await tool('verify', '--from', '100000'), {
    code: 1,
    err: /^--from 100000 is after block \d+, the newest/
  })
  devnet.control.prune(2)
  t.match(await tool('verify', '--from', '1'), {
    code: 1,
    err: /^no node has block 1 any more; the lowest that is left is 2/
  })
})

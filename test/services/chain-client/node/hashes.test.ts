import { createHash } from 'node:crypto'
import { headerHash, merkleRoot } from '../../../../services/chain-client/node/hashes.ts'
import { test } from '../../../helpers/tap.ts'

const hex = (text: string) => createHash('sha256').update(text).digest('hex')

test('computes the same hashes of an empty block and of a header as CometBFT', async t => {
  // From RFC 6962: the hash of an empty list, which is the data hash of an empty block.
  const root = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  t.equal(merkleRoot([]).toString('hex'), root)
  // Test vector from CometBFT's types/block_test.go.
  const header = {
    version: { block: '1', app: '2' },
    chain_id: 'chainId',
    height: '3',
    time: '2019-10-13T16:14:44Z',
    last_block_id: { hash: '00'.repeat(32), parts: { total: 6, hash: '00'.repeat(32) } },
    last_commit_hash: hex('last_commit_hash'),
    data_hash: hex('data_hash'),
    validators_hash: hex('validators_hash'),
    next_validators_hash: hex('next_validators_hash'),
    consensus_hash: hex('consensus_hash'),
    app_hash: hex('app_hash'),
    last_results_hash: hex('last_results_hash'),
    evidence_hash: hex('evidence_hash'),
    proposer_address: hex('proposer_address').slice(0, 40)
  }
  const hash = 'f740121f553b5418c3efbd343c2dbfe9e007bb67b0d020a0741374bab65242a4'
  t.equal(headerHash(header).toString('hex'), hash)
  // The first block may have an empty hash of the application.
  const ofFirst = '440b5199cbbe9b0baaad535efde887668d825664bfb103e2ce218fc1e9627374'
  t.equal(headerHash({ ...header, app_hash: '' }).toString('hex'), ofFirst)
})

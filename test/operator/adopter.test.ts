import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { createAdopter } from '../../operator/chain/adopter.ts'
import type { StoredSubmission } from '../../services/submission/store/operator-store.ts'
import type { Submission } from '../../services/submission/types.ts'
import { chainBlock } from '../helpers/chain-block.ts'
import { test } from '../helpers/tap.ts'
import { transferRequest } from '../helpers/transfer-request.ts'

const signer = {
  address: 'service1wallet',
  chainId: 'chain-1',
  accountNumber: 1n,
  nextSequence: 7,
  cursorHeight: 100,
  cursorHash: 'B100',
  probePassed: true
}

test('a request that the chain has executed twice settles its submission once', async t => {
  const { typeUrl, message } = transferRequest('fee-1', { creator: signer.address })
  const stored: StoredSubmission = {
    submission: { submissionId: 'id-1', status: 'queued', createdAt: '', updatedAt: '' },
    identities: [],
    typeUrl,
    message,
    sequence: undefined,
    attempts: 0,
    suspicion: undefined
  }
  const submission: Submission = {
    ...stored.submission,
    status: 'committed',
    transactionHash: 'A',
    height: 101,
    gasUsed: 1,
    gasWanted: 1,
    events: []
  }
  const settled: string[] = []
  const adopter = await createAdopter(
    {
      queries: {
        signer: async () => signer,
        list: async () => [stored],
        withIdentity: async () => ({ ...stored, submission })
      },
      writes: {
        settle: async ({ submissionId }, { transactionHash }) =>
          void settled.push(`${submissionId} by ${transactionHash}`),
        record: async () => void settled.push('recorded')
      }
    },
    'service'
  )
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl, value: message }] })).finish()
  const executed = (hash: string) => ({
    hash,
    bytes: TxRaw.encode(TxRaw.fromPartial({ bodyBytes })).finish(),
    code: 0,
    codespace: '',
    log: '[]',
    data: new Uint8Array(),
    events: [],
    gasWanted: 1n,
    gasUsed: 1n
  })
  await adopter.adopt(chainBlock(101, { transactions: [executed('A'), executed('B')] }), () => false)
  t.strictSame(settled, ['id-1 by A'])
  t.strictSame(adopter.findings, { settled: 1, recorded: 0 })
})

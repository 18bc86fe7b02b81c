import { TssPubkeys } from '../../../schemas/chains.ts'
import { chainRead } from '../chain-read.ts'

export default chainRead(TssPubkeys, chains => chains.tssPubkey(), {
  operationId: 'getTssPubkeys',
  summary: 'Public keys of the pools',
  description: 'The pool addresses by kind of key, as the chain reports them.'
})

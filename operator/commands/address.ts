import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'

export const address: Command = {
  arguments: '',
  summary: 'prints the address of the wallet',
  details: 'It follows from the phrase and SERVICE_CHAIN_PREFIX. Neither the store nor a node is read.',
  async run(argv, context) {
    readArguments(argv, {})
    context.print((await context.wallet()).address)
    return 0
  }
}

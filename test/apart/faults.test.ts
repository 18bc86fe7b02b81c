import { runFiles } from '../helpers/run-files.ts'

runFiles({ of: ['faults'] })

import { runFiles } from '../helpers/run-files.ts'

runFiles({ of: ['routes'], except: ['routes/submit'] })

#!/bin/sh
# npm start and npm run dev. Wrong options end before the packages are installed and built.
node deploy/local/setup/check-options.mjs "$@" || {
  code=$?
  [ "$code" -eq 3 ] && exit 0
  exit "$code"
}
node deploy/local/setup.mjs --start || exit
# The packages bring Node 24, which stands first on the PATH of npm.
hash -r
exec node deploy/local/dist/start.js "$@"

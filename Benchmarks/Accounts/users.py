# SPDX-License-Identifier: Apache-2.0

"""Writes an export of accounts with random user IDs and hashes of bcrypt: users.py COUNT."""

import secrets
import sys

HASH = "$2a$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

for number in range(int(sys.argv[1])):
    uid = secrets.token_urlsafe(21)
    print(f'{{"id": "{uid}", "email": "{uid[:8]}{number}@example.org", "name": "User {number}", "password_hash": "{HASH}"}}')

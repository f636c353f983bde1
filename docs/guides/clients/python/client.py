"""Creates and issues one invoice for an order of yours, and does each once however often it has to ask.

    SERVER=http://127.0.0.1:8080 TOKEN=... python3 client.py ORDER PARTNER

Needs Python 3.9 or later and nothing else.
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

TIMEOUT = 35  # seconds; longer than the 30 that the server gives the work
MOST_TRIES = 8  # after which the same command may be run again
FIRST_PAUSE, MOST_PAUSE = 0.2, 10  # seconds


class Refusal(Exception):
    """The error of an answer. Its members are empty when the answer is not the server's."""

    def __init__(self, status, text, after):
        try:
            self.error = json.loads(text)["error"]
        except (ValueError, KeyError, TypeError):  # the page of a load balancer
            self.error = {}
        self.status = status
        self.after = int(after) if (after or "").isdigit() else 0
        super().__init__(f"refused with {status}: {self.error or text[:200]!r}")

    def is_temporary(self):
        """May the same request simply be sent again?"""
        passes = self.status >= 500 or self.status == 429
        retry_with = self.error.get("retryWith")
        if retry_with is None:  # something before the server answered
            return passes
        return retry_with == "same_key" and (passes or self.error["code"] == "idempotency_in_progress")


class Client:
    """Calls a server as one caller."""

    def __init__(self, server, token):
        self.server, self.token = server, token

    def once(self, path, key, body):
        """Does an operation that happens once and returns its answer, or raises a Refusal."""
        data = json.dumps(body).encode()  # once, so that every try sends the same
        pause = FIRST_PAUSE
        for left in reversed(range(MOST_TRIES)):
            wait = pause
            try:
                return self._try(path, key, data)
            except Refusal as refusal:
                if not refusal.is_temporary() or not left:
                    raise
                wait = max(pause, refusal.after)
            except (OSError, http.client.HTTPException):
                # No answer, or half of one: it may have happened, and the same key finds out.
                if not left:
                    raise
            time.sleep(wait * random.uniform(1, 1.5))
            pause = min(pause * 2, MOST_PAUSE)

    def _try(self, path, key, data):
        request = urllib.request.Request(self.server + path, data, {
            "Authorization": "Bearer " + self.token,
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        })
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise Refusal(error.code, error.read(), error.headers.get("Retry-After")) from None


def invoice(client, order, partner):
    """Creates and issues the invoice of an order and returns its number.

    The order exists once in your books, so its name and the step make a key that a new run of this program makes again.
    """
    draft = client.once("/v1/sales/invoices/create", order + " create", {
        "partnerId": partner,
        "lines": [{"description": "Consulting", "quantity": 2, "unitPriceExclVat": "50.00"}],
    })
    issued = client.once("/v1/sales/invoices/issue", order + " issue", {"id": draft["id"]})
    return issued["fullNumber"]


if __name__ == "__main__":
    if len(sys.argv) != 3 or not os.environ.get("SERVER") or not os.environ.get("TOKEN"):
        sys.exit("usage: SERVER=... TOKEN=... python3 client.py ORDER PARTNER")
    try:
        print(invoice(Client(os.environ["SERVER"], os.environ["TOKEN"]), *sys.argv[1:]))
    except Refusal as refusal:
        sys.exit(str(refusal))
    except (OSError, http.client.HTTPException) as fault:
        sys.exit(f"no answer ({fault}); run the same again later")

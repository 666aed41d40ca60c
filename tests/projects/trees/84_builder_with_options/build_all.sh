#!/bin/sh
python export_one.py --name small --width 8
python export_one.py --name large --width 32

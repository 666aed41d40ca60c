from exporters import OilExporter, VibrationExporter


def main():
    for exporter in (VibrationExporter(), OilExporter()):
        print(exporter.run())


if __name__ == "__main__":
    main()
